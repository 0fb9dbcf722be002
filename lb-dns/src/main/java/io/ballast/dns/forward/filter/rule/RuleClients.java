package io.ballast.dns.forward.filter.rule;

import io.ballast.core.ErrorText;
import io.ballast.core.net.Cidr;
import io.ballast.core.net.CidrSet;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The value of {@code $client}: the clients to which a rule applies. Each entry is an address, a network or
 * the name of a client group; {@code ~} before an entry excludes it. Immutable.
 */
final class RuleClients {

    private static final String EXPECTED_FORM =
            "$client= with addresses, networks and names of client groups, separated by |, each with ~ before it to exclude it";

    private final String value;
    private final boolean hasInclusions;
    private final CidrSet includedNetworks;
    private final CidrSet excludedNetworks;
    private final String[] includedGroups;
    private final String[] excludedGroups;

    private RuleClients(
            String value,
            List<Cidr> included,
            List<Cidr> excluded,
            List<String> includedGroups,
            List<String> excludedGroups) {
        this.value = value;
        this.hasInclusions = !included.isEmpty() || !includedGroups.isEmpty();
        this.includedNetworks = CidrSet.of(included);
        this.excludedNetworks = CidrSet.of(excluded);
        this.includedGroups = includedGroups.toArray(String[]::new);
        this.excludedGroups = excludedGroups.toArray(String[]::new);
    }

    /**
     * Parses the value of the modifier.
     *
     * @param isGroup predicate that returns whether a client group with a given name exists
     * @throws IllegalArgumentException if the value is invalid; the message contains the expected form
     */
    static RuleClients parse(String value, Predicate<String> isGroup) {
        List<Cidr> included = new ArrayList<>();
        List<Cidr> excluded = new ArrayList<>();
        List<String> includedGroups = new ArrayList<>();
        List<String> excludedGroups = new ArrayList<>();
        for (String word : ModifierText.split(value, '|')) {
            boolean isExcluded = word.startsWith("~");
            String client = ModifierText.unquote(isExcluded ? word.substring(1) : word);
            if (client.isEmpty()) {
                throw new IllegalArgumentException(EXPECTED_FORM);
            }
            if (RuleParser.looksLikeAddress(client)) {
                (isExcluded ? excluded : included).add(parseNetwork(client));
            } else if (isGroup.test(client)) {
                (isExcluded ? excludedGroups : includedGroups).add(client);
            } else {
                throw new IllegalArgumentException(EXPECTED_FORM + "; there is no group " + client);
            }
        }
        return new RuleClients(value, included, excluded, includedGroups, excludedGroups);
    }

    private static Cidr parseNetwork(String client) {
        try {
            return Cidr.parse(client);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(EXPECTED_FORM + "; " + ErrorText.of(e), e);
        }
    }

    /** Returns whether the rule applies to the client of a query. Allocates nothing. */
    boolean contains(RuleContext query) {
        if (excludedNetworks.contains(query.high(), query.low()) || isIn(excludedGroups, query.group())) {
            return false;
        }
        return !hasInclusions
                || includedNetworks.contains(query.high(), query.low())
                || isIn(includedGroups, query.group());
    }

    private static boolean isIn(String[] groups, String group) {
        for (String listed : groups) {
            if (listed.equals(group)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the modifier as it is written in a filter list. */
    String text() {
        return "client=" + value;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RuleClients that && value.equals(that.value);
    }

    @Override
    public int hashCode() {
        return value.hashCode();
    }
}
