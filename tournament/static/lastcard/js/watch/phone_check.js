// The page was opened, so the phone gets through: say so without another tap.
document.querySelector("form[data-hello]")?.requestSubmit();
