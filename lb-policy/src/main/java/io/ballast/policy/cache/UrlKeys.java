package io.ballast.policy.cache;

import io.ballast.core.hash.SipHash24;
import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.http.route.request.RoutedRequest;
import io.ballast.net.tls.TlsSessionInfo;
import io.ballast.policy.cache.store.UrlKey;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Creates the keys of URLs: scheme, authority in lower case, path and query exactly as sent. A path is not normalized,
 * because the backend gets it as sent, and may answer another spelling of the path differently. Immutable.
 */
final class UrlKeys {

    private static final String HTTP = "http://";
    private static final String HTTPS = "https://";

    private final SipHash24 hash;

    /** @param hash has a random key, so that clients cannot choose URLs with equal hashes */
    UrlKeys(SipHash24 hash) {
        this.hash = hash;
    }

    /**
     * Sets the key of a request.
     *
     * @param text receives the bytes of the key, and must not change while the key is used
     */
    void set(PolicyExchange exchange, ByteAppender text, UrlKey key) {
        RoutedRequest request = exchange.request();
        byte[] bytes = request.bytes();
        text.clear();
        text.appendAscii(exchange.tls() == TlsSessionInfo.NONE ? HTTP : HTTPS);
        for (int i = request.hostStart(); i < request.authorityEnd(); i++) {
            text.append(lowerCase(bytes[i]));
        }
        if (request.pathStart() == request.pathEnd() || bytes[request.pathStart()] == '?') {
            text.append((byte) '/');
        }
        text.append(bytes, request.pathStart(), request.pathEnd());
        key.set(text.bytes(), text.length(), hash.of(text.bytes(), 0, text.length()));
    }

    private static byte lowerCase(byte b) {
        return b >= 'A' && b <= 'Z' ? (byte) (b | 0x20) : b;
    }

    /** Returns the key of an absolute URL in the form of {@link #normalize}. */
    UrlKey of(String url) {
        byte[] bytes = url.getBytes(StandardCharsets.ISO_8859_1);
        UrlKey key = new UrlKey();
        key.set(bytes, bytes.length, hash.of(bytes, 0, bytes.length));
        return key;
    }

    /**
     * Resolves a reference of a response to its URL.
     *
     * @param reference the value of {@code Location} or {@code Content-Location}
     * @return null if it is malformed, or on another host
     */
    @Nullable UrlKey resolve(UrlKey base, String reference) {
        try {
            URI url = new URI(base.toString());
            URI target = url.resolve(new URI(reference));
            boolean sameHost = target.getRawAuthority() != null
                    && target.getRawAuthority().equalsIgnoreCase(url.getRawAuthority());
            String text = target.toString();
            int fragment = text.indexOf('#');
            return sameHost ? of(normalize(fragment < 0 ? text : text.substring(0, fragment))) : null;
        } catch (URISyntaxException | IllegalArgumentException e) {
            return null; // the reference of the backend is not a valid URL
        }
    }

    /** Returns an absolute URL in the form of keys: scheme and authority in lower case, and a non-empty path. */
    static String normalize(String url) {
        int path = pathStart(url);
        String rest = url.substring(path);
        return normalizePrefix(url.substring(0, path)) + (rest.startsWith("/") ? rest : "/" + rest);
    }

    /** Returns the beginning of an absolute URL in the form of keys: scheme and authority in lower case. */
    static String normalizePrefix(String start) {
        int path = pathStart(start);
        return start.substring(0, path).toLowerCase(Locale.ROOT) + start.substring(path);
    }

    private static int pathStart(String url) {
        int scheme = url.indexOf("://");
        int position = scheme < 0 ? url.length() : scheme + 3;
        while (position < url.length() && url.charAt(position) != '/' && url.charAt(position) != '?') {
            position++;
        }
        return position;
    }
}
