"""The sections of a campaign's file, a module each; `judgments.campaign_files.registry` lists them."""
