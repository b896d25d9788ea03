"""The shapes of everything that is sent and answered, as marshmallow schemas. They read requests;
of answers they are the description, which the tests hold against what is really answered."""
