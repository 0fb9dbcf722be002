package io.ballast.config.imports.haproxy;

import io.ballast.config.imports.Directive;
import io.ballast.config.imports.ImportReport;
import io.ballast.config.imports.ImportedUsers;
import io.ballast.config.imports.UntranslatableException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The sections to which the rules of frontends refer. Immutable.
 *
 * @param tables the {@code stick-table} directives by the name of their section
 * @param userlists the sections with users by name
 */
record HaproxyPolicySources(Map<String, Directive> tables, Map<String, HaproxySection> userlists) {

    static HaproxyPolicySources of(List<HaproxySection> sections) {
        Map<String, Directive> tables = new HashMap<>();
        Map<String, HaproxySection> userlists = new HashMap<>();
        for (HaproxySection section : sections) {
            if (section.kind().equals("userlist")) {
                userlists.put(section.name(), section);
            }
            section.last("stick-table").ifPresent(table -> tables.put(section.name(), table));
        }
        return new HaproxyPolicySources(tables, userlists);
    }

    /**
     * Returns the users of a list with the hashes of their passwords, and reports the users whose hashes Ballast does not
     * accept.
     *
     * @throws UntranslatableException if there is no such list, or no user remains
     */
    Map<String, Object> users(String list, ImportReport report) throws UntranslatableException {
        HaproxySection section = Optional.ofNullable(userlists.get(list))
                .orElseThrow(() -> new UntranslatableException("userlist " + list + " is not defined in the file"));
        report.addSame(section.head());
        Map<String, Object> users = new LinkedHashMap<>();
        for (Directive user : section.own()) {
            if (!user.name().equals("user")) {
                continue;
            }
            if (user.word(2).equals("password") && ImportedUsers.isAccepted(user.word(1), user.word(3))) {
                users.put(user.word(1), user.word(3));
                report.addSame(user);
            } else {
                report.addUnsupported(
                        user,
                        "ignored: only bcrypt and argon2id hashes are accepted; create one with lb password and add it"
                                + " to 'users' of the policy");
            }
        }
        if (users.isEmpty()) {
            throw new UntranslatableException("no user of userlist " + list + " has a bcrypt or argon2id hash");
        }
        return users;
    }
}
