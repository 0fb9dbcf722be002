package io.ballast.dns.zonefile;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/** Derives the file names of managed zones. Any thread may call it. */
public final class ZoneFileName {

    private static final Pattern PLAIN = Pattern.compile("[a-z0-9_][a-z0-9_.-]{0,199}");
    private static final int DIGEST_BYTES = 16;

    private ZoneFileName() {}

    /** Returns a file name that no other zone uses: the zone name if possible, otherwise a hash of it. */
    public static String of(String zone) {
        String escaped = zone.replace("/", "%2F").replace("*", "%2A");
        if (PLAIN.matcher(zone).matches()) {
            return escaped;
        }
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(zone.getBytes(StandardCharsets.UTF_8));
            return "%" + HexFormat.of().formatHex(digest, 0, DIGEST_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime does not provide SHA-256", e);
        }
    }
}
