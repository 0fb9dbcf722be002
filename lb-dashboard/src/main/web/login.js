// Logs in and opens the page.
const form = document.getElementById('login');
const problem = document.getElementById('problem');
const button = form.querySelector('button');
const password = form.elements.namedItem('password');

/**
 * Skips the form if a session exists: the cookie is SameSite=Strict, so a browser omits it when a link of another site
 * is followed.
 */
async function skip() {
  try {
    const session = await (await fetch('/api/v1/session')).json();
    if (session.role) location.replace('/');
  } catch {
    // The form shows the error when it is submitted.
  }
}

function why(response, answer) {
  const wait = response.headers.get('Retry-After');
  return wait ? `${answer.detail} (in ${wait} s)` : answer.detail;
}

async function logIn(event) {
  event.preventDefault();
  problem.textContent = '';
  button.disabled = true;
  const sent = password.value;
  try {
    const response = await fetch('/api/v1/login', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: form.elements.namedItem('name').value, password: sent }),
    });
    const answer = await response.json();
    if (response.ok) {
      location.replace('/');
      return;
    }
    problem.textContent = why(response, answer);
  } catch {
    problem.textContent = 'the balancer does not respond';
  }
  button.disabled = false;
  if (password.value === sent) password.value = ''; // otherwise the user has started to type again
  password.focus();
}

form.addEventListener('submit', logIn);
skip();
