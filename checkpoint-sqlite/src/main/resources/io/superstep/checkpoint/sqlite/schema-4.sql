-- Whether a resume was requested while the lease was held.
ALTER TABLE thread ADD COLUMN is_resume_requested INTEGER NOT NULL DEFAULT 0;
