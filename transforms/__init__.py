"""Pure transforms over governance files: values in, values out, no disk, clock or environment."""
