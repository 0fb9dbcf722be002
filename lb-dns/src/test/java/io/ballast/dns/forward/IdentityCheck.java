package io.ballast.dns.forward;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dns.testing.Messages;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.ClientSubnetOption;
import org.xbill.DNS.CookieOption;
import org.xbill.DNS.EDNSOption;
import org.xbill.DNS.ExtendedErrorCodeOption;
import org.xbill.DNS.ExtendedFlags;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;

/** Compares the fields of an answer with those of its query. */
final class IdentityCheck {

    private IdentityCheck() {}

    static void check(AnswerPath path, QueryProperties properties, Message query, Message answer) {
        assertThat(answer.getHeader().getID()).isEqualTo(query.getHeader().getID());
        assertThat(answer.getQuestion().getName().toString())
                .isEqualTo(query.getQuestion().getName().toString());
        assertThat(Messages.has(answer, Flags.RD)).as("RD of %s", properties).isEqualTo(properties.rd());
        boolean isForwarded = path != AnswerPath.OUTGOING || properties.rd();
        assertThat(Messages.has(answer, Flags.CD)).as("CD of %s", properties).isEqualTo(properties.cd() && isForwarded);
        assertThat(Messages.has(answer, Flags.QR)).isTrue();
        assertThat(Messages.has(answer, Flags.RA)).isEqualTo(isForwarded);
        assertThat(Messages.isAuthoritative(answer)).isEqualTo(path == AnswerPath.OUTGOING);
        assertThat(Messages.has(answer, Flags.AD))
                .as("the answer was not validated")
                .isFalse();
        OPTRecord opt = answer.getOPT();
        assertThat(opt != null).as("OPT of %s", properties).isEqualTo(properties.edns());
        if (opt != null) {
            assertThat((opt.getFlags() & ExtendedFlags.DO) != 0).isEqualTo(properties.dnssecOk());
            checkOptions(properties, query.getOPT(), opt);
            checkSubnet(path, properties, SubnetResolver.subnetOf(query), SubnetResolver.subnetOf(answer));
        }
        if (path == AnswerPath.FAILED) {
            assertThat(answer.getRcode()).isEqualTo(Rcode.SERVFAIL);
            assertThat(codes(opt)).isEqualTo(properties.edns() ? List.of(22) : List.of());
        } else if (path.isBlocked()) {
            assertThat(answer.getRcode()).isEqualTo(Rcode.NXDOMAIN);
            assertThat(answer.getSection(Section.AUTHORITY)).hasSize(1);
            assertThat(codes(opt)).isEqualTo(properties.edns() ? List.of(15) : List.of());
        } else {
            assertThat(answer.getRcode()).isEqualTo(Rcode.NOERROR);
            List<Record> records = answer.getSection(Section.ANSWER);
            assertThat(records).hasSize(path.isAlias() && isForwarded ? 2 : 1);
            assertThat(records.get(0).getName().toString().toLowerCase(Locale.ROOT))
                    .isEqualTo(QueryProperties.NAME + ".");
            String last = isForwarded ? "192.0.2.1" : AnswerPath.TARGET + ".";
            assertThat(records.get(records.size() - 1).rdataToString()).isEqualTo(last);
        }
        if (path.isAlias() && isForwarded) {
            assertThat(answer.getSection(Section.ANSWER).get(0).rdataToString()).isEqualTo(AnswerPath.TARGET + ".");
            assertThat(answer.getSection(Section.ANSWER).get(1).getName()).hasToString(AnswerPath.TARGET + ".");
        }
        if (path == AnswerPath.ALIASED || path == AnswerPath.REWRITTEN) {
            assertThat(codes(opt)).isEqualTo(properties.edns() ? List.of(4) : List.of());
        }
        if (path == AnswerPath.STALE) {
            assertThat(answer.getSection(Section.ANSWER).get(0).getTTL()).isEqualTo(30);
            assertThat(codes(opt)).isEqualTo(properties.edns() ? List.of(3) : List.of());
        }
    }

    private static void checkOptions(QueryProperties properties, OPTRecord queried, OPTRecord opt) {
        List<EDNSOption> cookies = opt.getOptions(EDNSOption.Code.COOKIE);
        assertThat(cookies).hasSize(properties.cookie() ? 1 : 0);
        if (properties.cookie()) {
            CookieOption sent =
                    (CookieOption) queried.getOptions(EDNSOption.Code.COOKIE).get(0);
            CookieOption got = (CookieOption) cookies.get(0);
            assertThat(got.getClientCookie()).isEqualTo(sent.getClientCookie());
            assertThat(got.getServerCookie())
                    .hasValueSatisfying(server -> assertThat(server).hasSize(16));
        }
    }

    private static void checkSubnet(
            AnswerPath path,
            QueryProperties properties,
            @Nullable ClientSubnetOption queried,
            @Nullable ClientSubnetOption clientSubnet) {
        if (!properties.subnet()) {
            assertThat(clientSubnet).isNull();
            return;
        }
        assertThat(clientSubnet.getAddress()).isEqualTo(queried.getAddress());
        assertThat(clientSubnet.getSourcePrefixLength()).isEqualTo(queried.getSourcePrefixLength());
        assertThat(clientSubnet.getScopePrefixLength()).isEqualTo(path == AnswerPath.TAILORED ? AnswerPath.SCOPE : 0);
    }

    private static List<Integer> codes(OPTRecord opt) {
        return opt == null
                ? List.of()
                : opt.getOptions(EDNSOption.Code.EDNS_EXTENDED_ERROR).stream()
                        .map(option -> ((ExtendedErrorCodeOption) option).getErrorCode())
                        .toList();
    }
}
