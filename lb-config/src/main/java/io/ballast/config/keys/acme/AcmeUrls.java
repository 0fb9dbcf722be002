package io.ballast.config.keys.acme;

import io.ballast.core.Checks;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;

/** Reads the URLs in {@code acme}. Stateless. */
final class AcmeUrls {

    private static final String EXPECTED_DIRECTORY = "an https:// URL with a host";
    private static final String EXPECTED_ASK = "an http:// or https:// URL with a host";

    private AcmeUrls() {}

    static URI directory(String text) {
        return url(text, List.of("https"), EXPECTED_DIRECTORY);
    }

    static URI ask(String text) {
        return url(text, List.of("http", "https"), EXPECTED_ASK);
    }

    private static URI url(String text, List<String> schemes, String expected) {
        try {
            URI url = new URI(text);
            String scheme = url.getScheme() == null ? "" : url.getScheme().toLowerCase(Locale.ROOT);
            boolean isUrl = schemes.contains(scheme) && url.getHost() != null && url.getRawFragment() == null;
            Checks.that(isUrl, "url", text, expected);
            return url;
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("url: " + text + " (expected: " + expected + ")", e);
        }
    }
}
