"""The sections of a campaign's file, as `judgments.exchange.campaign_files.registry` lists them."""
