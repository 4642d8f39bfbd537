"""What people's files hold: missing-value markers, numbers and dates as texts, columns of many names, sheets."""
