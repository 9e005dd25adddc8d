// None.
