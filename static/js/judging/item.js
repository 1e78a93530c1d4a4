// The judging screen. Collected, all of this is one file (mteval_site/static_files.py).
import "./panels.js";
import "./panes.js";
import "./texts.js";
import "./sentence-pairs.js";
import "./reading.js";
import "./comparison.js";
import "./sentence-steps.js";
import "./drawer.js";
import "./hover.js";
import "./ahead.js";
import "./rows.js";
import "./onward.js";
import "./second-tab.js";
import "./history.js";
import "./widgets.js";
import "./judge.js";
import "./breaks.js";
