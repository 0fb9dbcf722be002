package io.ballast.dns.zone.source;

import io.ballast.dns.config.zone.ServiceConfig;
import io.ballast.dns.config.zone.ZoneConfig;
import io.ballast.dns.zone.contents.NameCursor;
import io.ballast.dns.zone.contents.Names;
import io.ballast.dns.zone.contents.RecordSet;
import io.ballast.dns.zone.contents.TypeMask;
import io.ballast.dns.zone.contents.ZoneContents;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.MXRecord;
import org.xbill.DNS.NSRecord;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.SRVRecord;
import org.xbill.DNS.Type;

/**
 * Warns about probable mistakes in a zone file: name servers and mail servers that are aliases or have no
 * address, and records that no query can find. Confined to the reading thread.
 */
final class ZoneWarnings {

    private static final long SERVERS = TypeMask.of(Type.NS);
    private static final int[] TARGET_TYPES = {Type.NS, Type.MX, Type.SRV};
    private static final long TARGET_TYPE_MASK = TypeMask.of(TARGET_TYPES);

    /** The types that a signed zone may have at the parent side of a delegation: NS and the DNSSEC types. */
    private static final long TYPES_ALLOWED_AT_DELEGATION = TypeMask.of(Type.NS, Type.DS, Type.NSEC, Type.RRSIG);

    private final ZoneContents zone;
    /** The names of services. Their addresses are not in the file. */
    private final Set<Name> services = new HashSet<>();
    /** The names of the servers to which the zone delegates. Their addresses are glue. */
    private final Set<Name> servers = new HashSet<>();

    private final List<RecordProblem> problems = new ArrayList<>();

    private ZoneWarnings(ZoneContents zone) {
        this.zone = zone;
    }

    /** Returns all warnings about a zone; the zone must have no errors. */
    static List<RecordProblem> of(ZoneContents zone, ZoneConfig config) {
        ZoneWarnings warnings = new ZoneWarnings(zone);
        for (ServiceConfig service : config.services()) {
            if (!service.type().hasConfiguredRecords()) {
                for (String name : service.names()) {
                    warnings.services.add(Names.serviceName(name, zone.apex()));
                }
            }
        }
        for (NameCursor each = zone.cursor(); each.next(); ) {
            RecordSet nameServers = each.set(Type.NS);
            if (nameServers != null) {
                warnings.addServers(nameServers);
            }
        }
        for (NameCursor each = zone.cursor(); each.next(); ) {
            warnings.checkName(each);
        }
        return warnings.problems;
    }

    private void addServers(RecordSet nameServers) {
        for (Record record : nameServers.records()) {
            servers.add(((NSRecord) record).getTarget().canonicalize());
        }
    }

    private void checkName(NameCursor each) {
        Name hiding = each.hidingName();
        if (hiding != null) {
            checkHidden(each.name(), hiding);
        } else if (each.has(TARGET_TYPE_MASK)) {
            boolean delegated = each.has(SERVERS) && !each.isApex();
            if (delegated) {
                checkDelegation(each);
            }
            for (int type : TARGET_TYPES) {
                RecordSet set = each.set(type);
                if (set != null) {
                    checkTargets(each.name(), set, delegated);
                }
            }
        }
    }

    private void checkTargets(Name name, RecordSet set, boolean delegated) {
        for (Record record : set.records()) {
            Name target = target(record, delegated);
            if (target != null && target.subdomain(zone.apex())) {
                checkTarget(record, target, name);
            }
        }
    }

    private void checkHidden(Name name, Name hiding) {
        if (zone.has(hiding, Type.DNAME)) {
            warn(
                    name,
                    Type.ANY,
                    null,
                    "below the DNAME record of " + hiding + ", so that no query finds it (RFC 6672 section 2.4)");
            return;
        }
        for (int type : zone.sets(name).keySet()) {
            if (!isGlue(name, type)) {
                warn(
                        name,
                        type,
                        null,
                        Type.string(type) + " below the delegation of " + hiding
                                + ", so that no query finds it (expected: addresses of name servers only)");
                return;
            }
        }
    }

    private void checkDelegation(NameCursor delegation) {
        if (!delegation.has(~TYPES_ALLOWED_AT_DELEGATION)) {
            return;
        }
        Name cut = delegation.name();
        for (int type : delegation.sets().keySet()) {
            if ((TypeMask.of(type) & TYPES_ALLOWED_AT_DELEGATION) == 0 && !isGlue(cut, type)) {
                warn(
                        cut,
                        type,
                        null,
                        Type.string(type)
                                + " at a delegation, so that no query finds it (expected: NS and DS records only)");
                return;
            }
        }
    }

    private boolean isGlue(Name name, int type) {
        return (type == Type.A || type == Type.AAAA) && servers.contains(name);
    }

    /** Returns the host name that a record points to, in lower case; null if it points to none. */
    private static @Nullable Name target(Record record, boolean delegated) {
        if (record instanceof NSRecord ns) {
            return ns.getTarget().canonicalize();
        }
        if (delegated) {
            return null;
        }
        if (record instanceof MXRecord mx) {
            return mx.getTarget().canonicalize();
        }
        return record instanceof SRVRecord srv ? srv.getTarget().canonicalize() : null;
    }

    private void checkTarget(Record record, Name target, Name owner) {
        boolean nameServer = record.getType() == Type.NS;
        Name hiding = zone.hidingName(target);
        if (hiding == null && zone.isDelegated(target)) {
            hiding = target;
        }
        if (hiding != null && zone.isDelegated(hiding)) {
            boolean needsGlue = nameServer && target.subdomain(owner) && !owner.equals(zone.apex());
            if (needsGlue && !hasRecordedAddress(target)) {
                warnOfTarget(owner, record, target, "has no address here (expected: glue, RFC 1034 section 4.2.1)");
            }
            return;
        }
        Name source = matchingName(target);
        if (hiding != null || (source != null && zone.has(source, Type.CNAME))) {
            warnOfTarget(owner, record, target, "is an alias (expected: a name with addresses, RFC 2181 section 10.3)");
        } else if (nameServer && (source == null || !hasAddress(source))) {
            warnOfTarget(owner, record, target, "has no address (expected: A or AAAA records)");
        }
    }

    private boolean hasAddress(Name source) {
        return services.contains(source) || hasRecordedAddress(source);
    }

    private boolean hasRecordedAddress(Name name) {
        return zone.has(name, Type.A) || zone.has(name, Type.AAAA);
    }

    /**
     * Returns the name whose records answer a query for a name: the name itself or a wildcard; null if there is
     * none.
     */
    private @Nullable Name matchingName(Name name) {
        if (exists(name)) {
            return name;
        }
        for (Name above = name; !above.equals(zone.apex()); ) {
            above = Names.parent(above);
            Name wildcard = Names.wildcard(above);
            if (exists(wildcard)) {
                return wildcard;
            }
            if (exists(above)) {
                return null;
            }
        }
        return null;
    }

    private boolean exists(Name name) {
        return services.contains(name) || zone.has(name);
    }

    private void warnOfTarget(Name owner, Record record, Name target, String problem) {
        int type = record.getType();
        warn(owner, type, record, Type.string(type) + " record to " + target + ", which " + problem);
    }

    private void warn(Name name, int type, @Nullable Record record, String message) {
        problems.add(new RecordProblem(name, type, record, message));
    }
}
