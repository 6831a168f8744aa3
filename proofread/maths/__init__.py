"""From TeX to expressions that can be evaluated exactly."""
