"""How agents learn, and the `arabian` command."""
