package io.ballast.policy.jwt.token;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The claims of a token (RFC 7519 section 4). Immutable. */
public final class TokenClaims {

    /** The result of {@link #seconds} if the token does not have the claim. */
    public static final long ABSENT = Long.MIN_VALUE;
    /** The result of {@link #seconds} if the claim is not a number. */
    public static final long INVALID = Long.MIN_VALUE + 1;

    /** The year 33658. Later times are replaced by this one, so that calculations do not overflow. */
    private static final long MAX_SECONDS = 1_000_000_000_000L;

    /** Claims that contain a list as one text; spaces separate the items (RFC 8693 section 4.2). */
    private static final Set<String> SPACE_SEPARATED = Set.of("scope", "scp");

    private final Map<String, Object> claims;

    /** @param claims the members of the object, as {@link StrictJson} returns them; must not be modified */
    public TokenClaims(Map<String, Object> claims) {
        this.claims = claims;
    }

    /** All claims; must not be modified. */
    public Map<String, Object> members() {
        return claims;
    }

    /**
     * Returns header lines with claims for backends, each with its line end. A missing claim adds no line. Texts of
     * claims are printable ASCII, so a client cannot insert a line end.
     *
     * @param headers the name of each header, with the name of the claim that it carries
     */
    public byte[] headerLines(Map<String, String> headers) {
        StringBuilder lines = new StringBuilder();
        headers.forEach((header, claim) -> {
            String value = text(claim);
            if (!value.isEmpty()) {
                lines.append(header).append(": ").append(value).append("\r\n");
            }
        });
        return lines.toString().getBytes(StandardCharsets.US_ASCII);
    }

    /** Returns a time in seconds since 1970, {@link #ABSENT} or {@link #INVALID}. */
    public long seconds(String name) {
        Object value = claims.get(name);
        if (value == null) {
            return ABSENT;
        }
        double seconds = value instanceof Number number ? number.doubleValue() : Double.NaN;
        if (Double.isNaN(seconds) || Double.isInfinite(seconds)) {
            return INVALID;
        }
        return (long) Math.floor(Math.max(-MAX_SECONDS, Math.min(MAX_SECONDS, seconds)));
    }

    /** Returns a claim that is a text; empty if it is missing or not a text. */
    public String string(String name) {
        return claims.get(name) instanceof String text ? text : "";
    }

    /**
     * Returns whether a claim contains a value: as the claim itself, as an item of its list, or for {@code scope} and
     * {@code scp} as one of the words that spaces separate.
     */
    public boolean contains(String name, String expected) {
        Object value = claims.get(name);
        if (value instanceof List<?> items) {
            return items.stream().anyMatch(item -> expected.equals(scalar(item)));
        }
        String text = scalar(value);
        return expected.equals(text)
                || (text != null
                        && SPACE_SEPARATED.contains(name)
                        && List.of(text.split(" ")).contains(expected));
    }

    /** Returns the text of a claim that can be the value of a header; empty if there is none. See {@link ClaimText}. */
    public String text(String name) {
        Object value = claims.get(name);
        if (value instanceof List<?> items) {
            return items.stream()
                    .map(TokenClaims::scalar)
                    .map(item -> item == null ? "" : ClaimText.encodeItem(item))
                    .filter(item -> !item.isEmpty())
                    .collect(Collectors.joining(","));
        }
        String text = scalar(value);
        return text == null ? "" : ClaimText.encode(text);
    }

    /** Returns all claims that have a {@link #text}. */
    public Map<String, String> texts() {
        Map<String, String> texts = new LinkedHashMap<>();
        for (String name : claims.keySet()) {
            String text = text(name);
            if (!text.isEmpty()) {
                texts.put(name, text);
            }
        }
        return texts;
    }

    private static @Nullable String scalar(@Nullable Object value) {
        boolean isScalar = value instanceof String || value instanceof Number || value instanceof Boolean;
        return isScalar ? String.valueOf(value) : null;
    }
}
