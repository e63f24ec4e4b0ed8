-- For whom an institution requires a second factor; and when a second factor that waits for its first code was made.
ALTER TABLE tenants ADD COLUMN second_factor TEXT NOT NULL DEFAULT 'nobody';
ALTER TABLE users ADD COLUMN totp_pending_at BIGINT;
