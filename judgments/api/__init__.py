"""The programming interface: what pages show, as JSON. Documented at api/schema/."""
