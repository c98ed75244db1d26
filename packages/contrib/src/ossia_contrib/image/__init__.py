"""Images: projective transforms, warps, components, matches."""
