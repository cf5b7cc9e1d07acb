"""English as it is read across Europe."""
