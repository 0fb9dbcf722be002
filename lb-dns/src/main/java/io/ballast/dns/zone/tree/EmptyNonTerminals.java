package io.ballast.dns.zone.tree;

import io.ballast.dns.answer.data.StoredNames;
import io.ballast.dns.wire.NameHash;
import io.ballast.dns.wire.QueryName;
import java.util.Objects;
import org.xbill.DNS.Name;

/**
 * Adds empty non-terminals: names without records that exist because a name below them exists (<a
 * href="https://datatracker.ietf.org/doc/html/rfc8020">RFC 8020</a>). Thread safety: confined to one thread.
 */
final class EmptyNonTerminals {

    private final NameEncoder encoder;
    private final StoredNames.Builder names;
    private final QueryName lookupName;
    private final int apexLabels;

    EmptyNonTerminals(ZoneRecords zone, NameHash hash, NameEncoder encoder, StoredNames.Builder names) {
        this.encoder = encoder;
        this.names = names;
        this.lookupName = new QueryName(hash);
        this.apexLabels = zone.contents().apex().labels() - 1;
    }

    /** Adds the empty non-terminals between the zone apex and an added name. */
    void addAncestors(Name name) {
        int max = name.labels() - 1 - apexLabels;
        if (max < 2) {
            return;
        }
        byte[] wire = name.toWire();
        lookupName.read(wire, 0, wire.length);
        lookupName.hash();
        for (int suffix = 1; suffix < max && !names.contains(lookupName, suffix); suffix++) {
            byte[] written = encoder.encode(new Name(name, suffix));
            names.add(Objects.requireNonNull(written), written.length);
        }
    }
}
