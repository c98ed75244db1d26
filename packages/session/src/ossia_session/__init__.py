"""MonitoredSession, its hooks, Scaffold, SessionManager and Supervisor, for Ossia."""
