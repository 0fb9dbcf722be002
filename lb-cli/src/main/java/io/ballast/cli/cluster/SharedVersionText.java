package io.ballast.cli.cluster;

import io.ballast.cli.api.ApiObject;
import io.ballast.cli.api.DashboardOptions;
import io.ballast.cli.terminal.TextTable;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Objects;

/** Prints versions of the configuration of a cluster, as the API describes them. Stateless. */
final class SharedVersionText {

    /** The exit code if a node has refused a version. */
    static final int REJECTED = 1;

    private static final int HASH_DIGITS = 12;

    private SharedVersionText() {}

    /** Describes the configuration that a node uses, such as {@code version 7}. */
    static String ofNode(ApiObject node) {
        if (node.fields().isEmpty()) {
            return "unknown";
        }
        String inUse = node.number("version") > 0 ? "version " + node.number("version") : "own file";
        String text = node.text("mode").equals("local") ? "own file (local)" : inUse;
        return node.fields().containsKey("failure") ? text + "; " + node.text("failure") : text;
    }

    static String hash(ApiObject version) {
        String hash = version.text("sha256");
        return hash.length() <= HASH_DIGITS ? hash : hash.substring(0, HASH_DIGITS);
    }

    /** Returns a text from the API; empty if the field is missing. */
    static String optional(ApiObject object, String name) {
        return Objects.toString(object.fields().get(name), "");
    }

    /**
     * Prints the result of a proposal.
     *
     * @return the exit code: 0 if the connected nodes use the version, {@link DashboardOptions#PENDING} if some of
     *     these nodes do not use it yet, {@link #REJECTED} if the version was rejected
     */
    static int print(ApiObject result, PrintWriter out, PrintWriter err) {
        ApiObject version = result.object("version");
        if (!version.text("state").equals("active")) {
            printRejection(result, version, err);
            return REJECTED;
        }
        out.println(String.format(
                Locale.ROOT,
                "version %d is active (%d %s, %d bytes, sha256 %s)",
                version.number("number"),
                version.number("files"),
                version.number("files") == 1 ? "file" : "files",
                version.number("bytes"),
                hash(version)));
        TextTable table = new TextTable(2, "node", "configuration");
        boolean isEverywhere = true;
        for (ApiObject node : result.objects("nodes")) {
            table.add(node.text("node"), ofNode(node));
            isEverywhere &= node.text("mode").equals("local") || node.number("version") == version.number("number");
        }
        table.lines().forEach(out::println);
        if (!isEverywhere) {
            out.println("some nodes do not use it yet: lb cluster status shows when they do");
        }
        return isEverywhere ? 0 : DashboardOptions.PENDING;
    }

    private static void printRejection(ApiObject result, ApiObject version, PrintWriter err) {
        err.println("lb: version " + version.number("number") + " is rejected; no node has changed its configuration");
        for (ApiObject verdict : result.objects("verdicts")) {
            if (!verdict.flag("accepted")) {
                verdict.texts("errors").forEach(error -> err.println(verdict.text("node") + ": " + error));
            }
        }
    }
}
