"""From fetches and feeds to a plan."""
