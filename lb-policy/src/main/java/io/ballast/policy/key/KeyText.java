package io.ballast.policy.key;

import io.ballast.core.hash.SipHash24;
import io.ballast.core.net.Cidr;
import io.ballast.core.net.IpAddress;
import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.policy.config.LimitKey;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Describes the key of a request for people: {@code 192.0.2.1}, or {@code path /login} and other named parts. Parts that
 * the access log does not contain, which are headers, cookies and claims, may be secrets. They are shown as 32 bits of
 * their keyed hash. Immutable; a description allocates, and has a bounded length.
 */
final class KeyText {

    /** Longer parts are truncated to this number of characters. */
    static final int MAX_CHARACTERS = 100;

    private static final String TRUNCATION_MARK = "[...]";
    private static final int IPV6_BITS = 128;
    /** Control characters, and format characters that change the direction of text. */
    private static final Pattern CONTROLS = Pattern.compile("[\\p{Cc}\\p{Cf}]");

    private final List<LimitKey> keys;
    private final RequestPart[] parts;
    private final int ipv6PrefixBits;
    private final SipHash24 hash;

    /** @param parts the parts of the keys, in the same order */
    KeyText(List<LimitKey> keys, RequestPart[] parts, int ipv6PrefixBits, SipHash24 hash) {
        this.keys = keys;
        this.parts = parts;
        this.ipv6PrefixBits = ipv6PrefixBits;
        this.hash = hash;
    }

    String of(PolicyExchange exchange) {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < parts.length; i++) {
            texts.add(part(exchange, keys.get(i), parts[i]));
        }
        return String.join(", ", texts);
    }

    private String part(PolicyExchange exchange, LimitKey key, RequestPart part) {
        ByteAppender value = exchange.scratch();
        value.clear();
        if (key.source() == LimitKey.Source.CLIENT || !part.append(exchange, value)) {
            return client(exchange.client()); // the client's address replaces a missing part
        }
        String source = key.source().name().toLowerCase(Locale.ROOT);
        return switch (key.source()) {
            case HEADER, COOKIE, CLAIM ->
                source + " " + key.name() + " " + KeyId.text(KeyId.of(hash.of(value.bytes(), 0, value.length())));
            default -> source + " " + readable(value);
        };
    }

    private static String readable(ByteAppender value) {
        String text = new String(value.bytes(), 0, value.length(), StandardCharsets.UTF_8);
        String bounded = text.length() > MAX_CHARACTERS ? text.substring(0, MAX_CHARACTERS) + TRUNCATION_MARK : text;
        return CONTROLS.matcher(bounded).replaceAll("?");
    }

    /** Returns the address, or the network of an IPv6 client; requests of a network share a key. */
    private String client(byte[] address) {
        if (address.length == 0) {
            return "unknown client"; // at a Unix socket
        }
        IpAddress known = IpAddress.of(address);
        return known.isIpv4() || ipv6PrefixBits == IPV6_BITS
                ? known.toString()
                : Cidr.parseLeniently(known + "/" + ipv6PrefixBits).toString();
    }
}
