package io.ballast.dns.secondary;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.xbill.DNS.Name;
import org.xbill.DNS.PTRRecord;
import org.xbill.DNS.Record;
import org.xbill.DNS.TXTRecord;
import org.xbill.DNS.Type;

/**
 * Reads the members of a catalog zone of version 2 (<a
 * href="https://datatracker.ietf.org/doc/html/rfc9432#section-4">RFC 9432 section 4</a>). It reads only
 * one member property, the group. Confined to one thread.
 */
final class CatalogReader {

    private static final String VERSION = "2";

    /**
     * The maximum length of a zone name. It is limited because names become part of file names and log lines.
     */
    private static final int LONGEST_NAME = 253;

    private final Name apex;
    private final int maxMembers;
    private final Name versionName;
    private final Name membersName;
    private final List<String> versions = new ArrayList<>();
    /** The member labels by zone name. */
    private final Map<String, String> labels = new HashMap<>();

    private final Set<String> usedLabels = new HashSet<>();
    /** The groups by member label, including labels without a member. */
    private final Map<String, List<String>> groups = new HashMap<>();

    CatalogReader(Name apex, int maxMembers) throws IOException {
        this.apex = apex;
        this.maxMembers = maxMembers;
        this.versionName = Name.fromString("version", apex);
        this.membersName = Name.fromString("zones", apex);
    }

    void read(Record record) throws IOException {
        Name owner = record.getName();
        if (record instanceof TXTRecord text && owner.equals(versionName)) {
            versions.addAll(text.getStrings());
        } else if (record instanceof TXTRecord text && isGroup(owner)) {
            groups.computeIfAbsent(owner.getLabelString(1).toLowerCase(Locale.ROOT), label -> new ArrayList<>())
                    .addAll(text.getStrings());
        } else if (record.getType() == Type.PTR
                && owner.labels() == membersName.labels() + 1
                && owner.subdomain(membersName)) {
            add(owner.getLabelString(0).toLowerCase(Locale.ROOT), ((PTRRecord) record).getTarget());
        }
    }

    private boolean isGroup(Name owner) {
        return owner.labels() == membersName.labels() + 2
                && owner.subdomain(membersName)
                && owner.getLabelString(0).equalsIgnoreCase("group");
    }

    private void add(String label, Name zone) throws IOException {
        String name = zone.toString(/* omitFinalDot= */ true).toLowerCase(Locale.ROOT);
        if (!usedLabels.add(label)) {
            throw new UnusableException("multiple members under " + label + ".zones." + apex + " (expected: one)");
        }
        if (name.isEmpty() || name.length() > LONGEST_NAME || name.indexOf('\\') >= 0) {
            throw new UnusableException("member " + name + " (expected: a zone name)");
        }
        if (labels.putIfAbsent(name, label) != null) {
            throw new UnusableException("member " + name + " is listed twice (expected: once)");
        }
        if (labels.size() > maxMembers) {
            throw new UnusableException("more than " + maxMembers + " members (expected: at most max_members)");
        }
    }

    /**
     * Returns the members after all records were read.
     *
     * @throws IOException if the zone is not a catalog zone of a supported version
     */
    List<MemberZone> members() throws IOException {
        if (!versions.equals(List.of(VERSION))) {
            throw new UnusableException("version" + (versions.isEmpty() ? "" : " " + String.join(", ", versions))
                    + " of the catalog (expected: a TXT record " + VERSION + " at " + versionName + ")");
        }
        return labels.entrySet().stream()
                .map(each ->
                        new MemberZone(each.getKey(), each.getValue(), groups.getOrDefault(each.getValue(), List.of())))
                .sorted(Comparator.comparing(MemberZone::zone))
                .toList();
    }
}
