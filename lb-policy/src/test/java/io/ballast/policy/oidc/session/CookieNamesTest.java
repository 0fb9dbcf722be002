package io.ballast.policy.oidc.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.SameSite;
import io.ballast.policy.config.oidc.OidcCookie;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CookieNamesTest {

    private static CookieNames names(Optional<String> domain, SameSite sameSite, boolean https) {
        return new CookieNames(new OidcCookie("shop", List.of(), Optional.empty(), domain, sameSite), https);
    }

    @Test
    void hostCookieHasAPrefixWithTls() {
        CookieNames names = names(Optional.empty(), SameSite.LAX, /* https= */ true);

        assertThat(names.line(/* isFirst= */ true, "v", 60))
                .isEqualTo("Set-Cookie: __Host-shop=v; Max-Age=60; Path=/; HttpOnly; Secure; SameSite=Lax\r\n");
        assertThat(names.line(/* isFirst= */ false, "", 0)).startsWith("Set-Cookie: __Host-shop_2=; Max-Age=0; ");
    }

    @Test
    void cookieOfADomainHasAnotherPrefix() {
        CookieNames names = names(Optional.of("shop.example"), SameSite.NONE, /* https= */ true);

        assertThat(names.line(/* isFirst= */ true, "v", 60))
                .isEqualTo("Set-Cookie: __Secure-shop=v; Max-Age=60; Path=/; HttpOnly; Secure; Domain=shop.example;"
                        + " SameSite=None\r\n");
        assertThat(names.loginLine(names.loginPrefix() + "abc", "v", 600))
                .isEqualTo("Set-Cookie: __Secure-shop_login_abc=v; Max-Age=600; Path=/; HttpOnly; Secure;"
                        + " Domain=shop.example; SameSite=Lax\r\n");
    }

    @Test
    void cookieWithoutTlsIsNeverSameSiteNone() {
        CookieNames names = names(Optional.empty(), SameSite.NONE, /* https= */ false);

        assertThat(names.line(/* isFirst= */ true, "v", 60))
                .isEqualTo("Set-Cookie: shop=v; Max-Age=60; Path=/; HttpOnly; SameSite=Lax\r\n");
    }
}
