// Sends a form again for which the server had no turn, after the seconds that it names. A field of it may be called "submit".

const form = /** @type {HTMLFormElement} */ (document.querySelector("form[data-again]"));
setTimeout(() => HTMLFormElement.prototype.submit.call(form), Number(form.dataset.again) * 1000 * (1 + Math.random()));
