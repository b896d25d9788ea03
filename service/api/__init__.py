"""HTTP: marshmallow schemas read requests and describe the API; orjson writes answers. Application
functions are in the layer below."""
