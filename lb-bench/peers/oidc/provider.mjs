// An OpenID provider for lb-bench/oidc: oidc-provider with its development pages, one client, and users without passwords.
// Arguments: the port of this provider, the port of Ballast, the client's secret.
import { Provider } from 'oidc-provider';

const [port, ballastPort, secret] = process.argv.slice(2);
const application = `http://127.0.0.1:${ballastPort}`;

const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [
    {
      client_id: 'shop',
      client_secret: secret,
      redirect_uris: [`${application}/oauth2/callback`],
      post_logout_redirect_uris: [`${application}/public`],
      grant_types: ['authorization_code', 'refresh_token'],
    },
  ],
  claims: { openid: ['sub'], email: ['email'], groups: ['groups'] },
  scopes: ['openid', 'email', 'groups'],
  findAccount: (context, id) => ({
    accountId: id,
    claims: () => ({ sub: id, email: `${id}@id.example`, groups: id === 'guest' ? ['guests'] : ['staff'] }),
  }),
  pkce: { required: () => true },
  issueRefreshToken: () => true,
  rotateRefreshToken: true,
  ttl: { AccessToken: 5, IdToken: 60, RefreshToken: 600, Session: 600, Grant: 600, Interaction: 60, AuthorizationCode: 10 },
  cookies: { keys: ['a key for a test'] },
});

provider.on('grant.success', (context) => console.log(`grant ${context.oidc.params.grant_type}`));
provider.on('grant.error', (context, error) => console.log(`refused ${error.message} ${error.error_detail ?? ''}`));
provider.on('server_error', (context, error) => console.log(`failed ${error.stack}`));
provider.listen(Number(port), '127.0.0.1', () => console.log('ready'));
