package io.ballast.policy.oidc.provider;

/**
 * An authorization code, with the proofs that this login requested it.
 *
 * @param verifier the code verifier of RFC 7636
 * @param redirectUri the URL to which the provider has sent the code
 * @param nonce the nonce that the ID token must contain
 */
public record CodeGrant(String code, String verifier, String redirectUri, String nonce) {

    @Override
    public String toString() {
        return "CodeGrant[...]";
    }
}
