package io.ballast.dashboard.bundle;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The asset names that contain a hash of the content, such as {@code app.0123456789abcdef.js}. */
final class HashedNames {

    private static final int HASH_BYTES = 8;
    private static final Pattern REFERENCE = Pattern.compile("\\bassets/([\\w-]+\\.\\w+)");

    private final Map<String, String> hashedByName = new HashMap<>();

    /** Adds an asset and returns its name with the hash. */
    String add(String name, byte[] content) {
        int dot = name.lastIndexOf('.');
        if (dot <= 0) {
            throw new IllegalArgumentException(name + ": the file name needs an extension");
        }
        String hashed = name.substring(0, dot) + '.' + hash(content) + name.substring(dot);
        if (hashedByName.put(name, hashed) != null) {
            throw new IllegalArgumentException(name + ": a file and a directory produce the same asset");
        }
        return hashed;
    }

    /**
     * Returns the text with each reference {@code assets/name} replaced by the hashed name. Throws {@link
     * IllegalArgumentException} if no asset has this name.
     *
     * @param file the file name of the text, for error messages
     */
    String replaceIn(String text, String file) {
        return REFERENCE.matcher(text).replaceAll(match -> {
            String hashed = hashedByName.get(match.group(1));
            if (hashed == null) {
                throw new IllegalArgumentException(file + ": there is no " + match.group());
            }
            return Matcher.quoteReplacement("assets/" + hashed);
        });
    }

    private static String hash(byte[] content) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(content);
            return HexFormat.of().formatHex(digest, 0, HASH_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime does not provide SHA-256", e);
        }
    }
}
