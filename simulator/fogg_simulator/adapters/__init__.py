"""The simulator as environments of other libraries; each is an extra of this distribution."""
