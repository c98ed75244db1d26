"""Running graphs: sessions, the plans they make, and the state they keep."""
