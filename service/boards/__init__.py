"""The boards, as the API shows them."""
