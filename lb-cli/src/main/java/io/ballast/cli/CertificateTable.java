package io.ballast.cli;

import io.ballast.cli.api.ApiObject;
import io.ballast.cli.terminal.TextTable;
import java.util.ArrayList;
import java.util.List;

/** Formats the certificates that are ordered by ACME as a table. */
final class CertificateTable {

    /** Length of a time without its fraction of a second, such as 2026-11-29T12:00:00. */
    private static final int TIME_LENGTH = 19;

    private CertificateTable() {}

    /**
     * Returns one line for each certificate, then a line if there are more certificates, and a line with the cluster
     * node that orders certificates.
     *
     * @param page the document {@code /api/v1/certificates/ordered}
     * @param offset the number of certificates before the page
     */
    static List<String> lines(ApiObject page, int offset) {
        TextTable table =
                new TextTable(5, "NAME", "ISSUER", "ORDERED", "EXPIRES", "NEXT ORDER", "FAILURES", "LAST ERROR");
        List<ApiObject> certificates = page.objects("certificates");
        for (ApiObject each : certificates) {
            table.add(
                    each.text("name"),
                    each.text("issuer"),
                    each.flag("on_demand") ? "on demand" : "always",
                    time(each.text("not_after")),
                    time(each.text("next_order")),
                    each.text("failures"),
                    each.text("error"));
        }
        List<String> lines = new ArrayList<>(table.lines());
        long rest = page.number("total") - offset - certificates.size();
        if (rest > 0) {
            lines.add("and " + rest + " more (--offset " + (offset + certificates.size()) + ")");
        }
        String node = page.text("ordered_by");
        if (!node.equals("-")) {
            lines.add("ordered by node " + node);
        }
        return lines;
    }

    /** Formats a time of the API in UTC without fractions of a second. */
    private static String time(String text) {
        return text.length() > TIME_LENGTH ? text.substring(0, TIME_LENGTH) + "Z" : text;
    }
}
