// Logs in, and goes on to the page.
const form = document.getElementById('login');
const problem = document.getElementById('problem');
const button = form.querySelector('button');
const password = form.elements.namedItem('password');

/** Whoever came by a link of another site sent no cookie with it, and may be logged in already. */
async function skip() {
  try {
    const session = await (await fetch('/api/v1/session')).json();
    if (session.role) location.replace('/');
  } catch {
    // Then there is time until somebody tries.
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
    problem.textContent = 'the balancer does not answer';
  }
  button.disabled = false;
  if (password.value === sent) password.value = ''; // else somebody has begun to correct it
  password.focus();
}

form.addEventListener('submit', logIn);
skip();
