"""The sections of a campaign's file, as `judgments.campaign_files.registry` lists them."""
