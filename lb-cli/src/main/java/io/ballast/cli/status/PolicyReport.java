package io.ballast.cli.status;

import io.ballast.cli.api.ApiObject;
import io.ballast.cli.terminal.TextTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The keys of limits and the last refusals of policies, as lines or as JSON objects. Immutable. */
final class PolicyReport {

    /** The maximum number of refused keys of a policy in the short form. */
    static final int SHORT_KEYS = 3;

    /** The maximum number of lines of keys, and of refusals. */
    private static final int MAX_ROWS = 20;

    private final List<ApiObject> policies;
    private final boolean isFull;

    /**
     * @param policies the document {@code /api/v1/policies}
     * @param isFull whether keys without refusals and the last refusals are shown
     */
    PolicyReport(ApiObject policies, boolean isFull) {
        this.policies = policies.objects("policies");
        this.isFull = isFull;
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>();
        addKeys(lines);
        if (isFull) {
            addRefusals(lines);
        }
        return lines;
    }

    private List<ApiObject> keys(ApiObject policy) {
        List<ApiObject> keys = policy.objects("keys");
        return isFull
                ? keys
                : keys.stream()
                        .filter(key -> key.number("refused") > 0)
                        .limit(SHORT_KEYS)
                        .toList();
    }

    private void addKeys(List<String> lines) {
        TextTable table = new TextTable(2, isFull ? "POLICY" : "REFUSED BY", "KEY", "REFUSED", "IN USE", "LIMIT", "");
        int rows = 0;
        for (ApiObject policy : policies) {
            for (ApiObject key : keys(policy)) {
                if (rows++ < MAX_ROWS) {
                    table.add(
                            policy.text("name"),
                            key.fields().get("key") == null ? key.text("id") : key.text("key"),
                            key.text("refused"),
                            key.text("used"),
                            key.text("limit"),
                            remark(policy, key));
                }
            }
        }
        addTable(lines, table, rows);
    }

    private static String remark(ApiObject policy, ApiObject key) {
        List<String> texts = new ArrayList<>();
        if (key.number("ban_seconds") > 0) {
            texts.add("banned for " + key.text("ban_seconds") + " s");
        }
        if (policy.flag("dry_run")) {
            texts.add("dry run");
        }
        return texts.isEmpty() ? "-" : String.join(", ", texts);
    }

    private void addRefusals(List<String> lines) {
        TextTable table = new TextTable(6, "REFUSED AT", "POLICY", "CLIENT", "STATUS", "REASON", "METHOD", "PATH");
        int rows = 0;
        for (Refused refused : newest()) {
            if (rows++ < MAX_ROWS) {
                ApiObject refusal = refused.refusal();
                table.add(
                        StatusReport.truncateToSeconds(refusal.text("time")),
                        refused.policy(),
                        refusal.text("client"),
                        refusal.text("status"),
                        refusal.text("reason") + (refusal.flag("dry_run") ? " (dry run)" : ""),
                        refusal.text("method"),
                        refusal.text("path"));
            }
        }
        if (rows > 0) {
            lines.add("");
            lines.addAll(table.lines());
        }
    }

    private record Refused(String policy, ApiObject refusal) {

        String time() {
            return refusal.text("time");
        }
    }

    /** The refusals of all policies, the newest first. */
    private List<Refused> newest() {
        return policies.stream()
                .flatMap(policy ->
                        policy.objects("refusals").stream().map(refusal -> new Refused(policy.text("name"), refusal)))
                .sorted(Comparator.comparing(Refused::time).reversed())
                .toList();
    }

    private static void addTable(List<String> lines, TextTable table, int all) {
        if (all > 0) {
            lines.add("");
            lines.addAll(table.lines());
        }
        if (all > MAX_ROWS) {
            lines.add("and " + (all - MAX_ROWS) + " more");
        }
    }

    /** Returns the policies for programs. */
    List<Map<String, Object>> tree() {
        return policies.stream().map(this::policy).toList();
    }

    private Map<String, Object> policy(ApiObject policy) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("name", policy.text("name"));
        tree.put("kind", policy.text("kind"));
        tree.put("dry_run", policy.flag("dry_run"));
        tree.put("requests", policy.object("requests").fields());
        tree.put("keys", keys(policy).stream().map(ApiObject::fields).toList());
        if (isFull) {
            tree.put(
                    "refusals",
                    policy.objects("refusals").stream().map(ApiObject::fields).toList());
        }
        return tree;
    }
}
