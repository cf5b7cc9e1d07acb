"""What every model shares."""

import uuid

from django.db import models


class PublicModel(models.Model):
    """A row known outside by its UUID: in addresses, in the ledger and in archives. Database keys never
    leave."""

    uid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)

    class Meta:
        abstract = True
