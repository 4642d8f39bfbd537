"""Road traffic without inference routes: CBA and ICBA (Gurung et al., 2014)."""
