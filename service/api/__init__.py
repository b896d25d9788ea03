"""HTTP: what is asked is read by marshmallow schemas, which also describe the API; what is answered
is written by orjson. Every application function is in the layer below."""
