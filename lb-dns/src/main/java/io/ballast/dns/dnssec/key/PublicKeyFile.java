package io.ballast.dns.dnssec.key;

import io.ballast.core.ErrorText;
import java.util.Base64;
import java.util.List;
import java.util.Locale;

/**
 * A public key file: a comment and a DNSKEY record in zone file format.
 *
 * @param zone owner of the record in lower case, without the final dot
 */
record PublicKeyFile(String zone, KeyAlgorithm algorithm, List<String> base64) {

    private static final String EXPECTED = "expected: one record, ZONE [TTL] [IN] DNSKEY " + SigningKey.FLAGS + " "
            + SigningKey.PROTOCOL + " ALGORITHM KEY";

    static String text(String zone, SigningKey key) {
        String base64 = Base64.getEncoder().encodeToString(key.publicBytes());
        return "; This is a combined signing key, keyid " + key.tag() + ", for " + zone + ".\n"
                + zone + ". IN DNSKEY " + SigningKey.FLAGS + " " + SigningKey.PROTOCOL + " "
                + key.algorithm().number() + " " + base64 + "\n";
    }

    /** @throws IllegalArgumentException if the text has the wrong format, or the kind of key is not supported */
    static PublicKeyFile parse(String text) {
        List<String> records = text.lines()
                .filter(line -> !line.isBlank() && !line.startsWith(";"))
                .toList();
        if (records.size() != 1) {
            throw new IllegalArgumentException(records.size() + " records (" + EXPECTED + ")");
        }
        List<String> words = List.of(records.get(0).trim().split("\\s+"));
        int type = words.indexOf("DNSKEY");
        boolean isRecord = type >= 1
                && type <= 3
                && words.size() >= type + 5
                && words.get(0).matches("[^.].*\\.")
                && words.get(type + 3).matches("[0-9]{1,3}");
        if (!isRecord) {
            throw new IllegalArgumentException(EXPECTED);
        }
        if (!words.get(type + 1).equals(Integer.toString(SigningKey.FLAGS))
                || !words.get(type + 2).equals(Integer.toString(SigningKey.PROTOCOL))) {
            throw new IllegalArgumentException("flags and protocol: " + words.get(type + 1) + " " + words.get(type + 2)
                    + " (expected: " + SigningKey.FLAGS + " " + SigningKey.PROTOCOL
                    + ", a combined signing key)");
        }
        String owner = words.get(0).toLowerCase(Locale.ROOT);
        return new PublicKeyFile(
                owner.substring(0, owner.length() - 1),
                KeyAlgorithm.ofNumber(Integer.parseInt(words.get(type + 3))),
                words.subList(type + 4, words.size()));
    }

    byte[] publicBytes() {
        try {
            return Base64.getDecoder().decode(String.join("", base64));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("public key: " + ErrorText.of(e) + " (expected: base64)", e);
        }
    }
}
