"""Who uses the site: users, clubs, memberships and roles, API tokens, and what each may do."""
