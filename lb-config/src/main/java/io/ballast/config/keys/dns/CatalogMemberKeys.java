package io.ballast.config.keys.dns;

import io.ballast.config.key.BriefType;
import io.ballast.config.key.Key;
import io.ballast.config.key.ListType;
import io.ballast.config.key.NamedType;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.keys.common.DnsTexts;
import io.ballast.dns.config.zone.CatalogMember;
import io.ballast.dns.config.zone.DnssecConfig;
import io.ballast.dns.config.zone.MemberGroup;
import io.ballast.dns.config.zone.TransferConfig;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The keys of {@code dns.zones[].catalog[]} (catalog zones that this server produces) and of
 * {@code secondary.groups} (catalog zones that it consumes).
 */
final class CatalogMemberKeys {

    private static final String GROUP_NAME = "[A-Za-z0-9_.-]{1,255}";
    private static final String EXPECTED = "1 to 255 letters, digits, '_', '.' and '-'";

    private static final ShapeBuilder<CatalogMember> MEMBER_KEYS =
            Shape.named("catalog_member", "A member of a catalog zone. Its name alone can be given instead.");
    private static final Key<String> ZONE = MEMBER_KEYS.required(
            "zone", DnsTexts.ABSOLUTE, "name of another zone in this configuration", CatalogMember::zone);
    private static final Key<String> GROUP = MEMBER_KEYS.optional(
            "group",
            Scalars.matching("group", EXPECTED, GROUP_NAME),
            "group property (RFC 9432) that consumers use to select the settings of the zone; none by default",
            CatalogMember::group);

    private static final Type<CatalogMember> NAME = DnsTexts.ABSOLUTE.map(CatalogMember::new, CatalogMember::zone);

    private static final Type<CatalogMember> MEMBER = new BriefType<>(
            NAME,
            MEMBER_KEYS.build(values -> new CatalogMember(values.get(ZONE), values.find(GROUP))),
            CatalogMemberKeys::isName);

    /** A list of members, or the name of a single member. */
    static final Type<List<CatalogMember>> MEMBERS = new BriefType<>(
            NAME.map(List::of, members -> members.get(0)),
            ListType.atLeastOne(MEMBER).unique("zone", CatalogMember::zone),
            members -> members.size() == 1 && isName(members.get(0)));

    private static final ShapeBuilder<MemberGroup> GROUP_KEYS =
            Shape.named("member_group", "Settings of the member zones of a group in a catalog zone.");
    private static final Key<Optional<DnssecConfig>> DNSSEC = GROUP_KEYS.optional(
            "dnssec", DnssecKeys.DNSSEC, Optional.empty(), "DNSSEC signing of the member zones", MemberGroup::dnssec);
    private static final Key<TransferConfig> TRANSFER = GROUP_KEYS.optional(
            "transfer",
            TransferKeys.TRANSFER,
            "which further servers may transfer them; none by default",
            MemberGroup::transfer);

    /** The settings of member groups, by the name of the group. */
    static final Type<Map<String, MemberGroup>> GROUPS = new NamedType<>(
            GROUP_KEYS.build(values -> new MemberGroup(values.get(DNSSEC), values.find(TRANSFER))),
            GROUP_NAME,
            EXPECTED);

    private CatalogMemberKeys() {}

    private static boolean isName(CatalogMember member) {
        return member.group().isEmpty();
    }
}
