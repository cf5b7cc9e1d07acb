"""What people type into the forms about plays, read into the arguments of actions."""
