"""Citations that model providers give themselves, in one shape, and back into their histories. No SDK is needed."""
