package io.ballast.cluster.secret;

import io.ballast.core.Checks;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The secrets of one kind, the newest first. One of them creates cookies or tickets, and all verify them. A new secret
 * creates no cookies or tickets before {@link #LEAD} has passed, so that all connected nodes know the secret before
 * they must verify with it. Immutable.
 *
 * @param secrets one to {@value #MAX}
 */
public record SecretSet(List<SharedSecret> secrets) {

    /**
     * The maximum number of secrets: the newest secret, the previous secret, which is in use until {@link #LEAD} has
     * passed, and the secret before it.
     */
    static final int MAX = 3;

    /** The time during which a new secret verifies cookies and tickets, but creates none. */
    static final Duration LEAD = Duration.ofMinutes(2);

    /**
     * A secret, and the time of its first use.
     *
     * @param hex hexadecimal digits; never printed
     * @param from the time from which it creates cookies or tickets
     */
    record SharedSecret(String hex, Instant from) {

        @Override
        public String toString() {
            return "SharedSecret[..., " + from + "]";
        }
    }

    public SecretSet {
        secrets = List.copyOf(secrets);
        Checks.that(!secrets.isEmpty() && secrets.size() <= MAX, "secrets", secrets.size(), "1 to " + MAX);
    }

    /** Returns a set with one new secret, which is in use at once. */
    public static SecretSet first(SecretKind kind, RandomGenerator random, Instant now) {
        return new SecretSet(List.of(generate(kind, random, now)));
    }

    /** Returns a set with a new secret in place of the oldest one. */
    public SecretSet next(SecretKind kind, RandomGenerator random, Instant now) {
        List<SharedSecret> next = new ArrayList<>();
        next.add(generate(kind, random, now.plus(LEAD)));
        next.addAll(secrets.subList(0, Math.min(secrets.size(), MAX - 1)));
        return new SecretSet(next);
    }

    private static SharedSecret generate(SecretKind kind, RandomGenerator random, Instant from) {
        byte[] bytes = new byte[kind.bytes()];
        random.nextBytes(bytes);
        return new SharedSecret(HexFormat.of().formatHex(bytes), from.truncatedTo(ChronoUnit.MILLIS));
    }

    /** Returns the age of the newest secret; negative while it only verifies. */
    public Duration age(Instant now) {
        return Duration.between(secrets.get(0).from(), now);
    }

    /** Returns all secrets as hexadecimal digits: first the one that creates cookies or tickets at this time. */
    public List<String> inUse(Instant now) {
        SharedSecret current = secrets.stream()
                .filter(each -> !each.from().isAfter(now))
                .findFirst()
                .orElse(secrets.get(secrets.size() - 1));
        List<String> all = new ArrayList<>();
        all.add(current.hex());
        secrets.stream().filter(each -> !each.equals(current)).forEach(each -> all.add(each.hex()));
        return all;
    }

    /** Returns the set as text, which {@link #decode} reads. */
    public String encode() {
        StringBuilder text = new StringBuilder();
        secrets.forEach(each -> text.append(each.hex())
                .append(' ')
                .append(each.from().toEpochMilli())
                .append('\n'));
        return text.toString();
    }

    /** @throws IllegalArgumentException if the text is not a set of this kind */
    public static SecretSet decode(SecretKind kind, String text) {
        List<SharedSecret> secrets = new ArrayList<>();
        for (String line : text.lines().toList()) {
            int space = line.indexOf(' ');
            String hex = space < 0 ? "" : line.substring(0, space);
            Checks.that(
                    hex.matches("[0-9a-f]{" + 2 * kind.bytes() + "}"),
                    "secret",
                    hex.length() + " characters",
                    "digits");
            secrets.add(new SharedSecret(hex, Instant.ofEpochMilli(Long.parseLong(line.substring(space + 1)))));
        }
        return new SecretSet(secrets);
    }
}
