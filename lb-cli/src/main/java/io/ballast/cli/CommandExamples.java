package io.ballast.cli;

import java.util.List;
import java.util.Map;
import picocli.CommandLine;

/** The examples at the end of the help of each command. */
public final class CommandExamples {

    /** The examples by command name. */
    private static final Map<String, List<String>> EXAMPLES_BY_COMMAND = Map.ofEntries(
            Map.entry("lb", List.of("lb demo", "lb check config.yaml", "lb run config.yaml")),
            Map.entry("lb run", List.of("lb run config.yaml", "lb run --watch config.yaml")),
            Map.entry("lb agent", List.of("lb agent agent.yaml", "lb agent --allow-exec agent.yaml")),
            Map.entry("lb demo", List.of("lb demo", "lb demo --http-port 9000 --dns-port 9053")),
            Map.entry("lb check", List.of("lb check config.yaml", "lb check --explain config.yaml | less")),
            Map.entry(
                    "lb import",
                    List.of(
                            "lb import nginx /etc/nginx/nginx.conf -o config.yaml",
                            "lb import haproxy /etc/haproxy/haproxy.cfg --report report.txt -o config.yaml")),
            Map.entry(
                    "lb status",
                    List.of("lb status config.yaml", "lb status --output json --api http://127.0.0.1:8001")),
            Map.entry("lb top", List.of("lb top config.yaml", "lb top --once config.yaml")),
            Map.entry("lb reload", List.of("lb reload config.yaml", "lb reload --dry-run config.yaml")),
            Map.entry("lb restart", List.of("lb restart config.yaml", "lb restart --data-dir /var/lib/ballast")),
            Map.entry("lb backends", List.of("lb backends drain web 10.0.0.7:8080 --why \"new disk\"")),
            Map.entry("lb backends add", List.of("lb backends add web 10.0.0.7:8080 --weight 2")),
            Map.entry("lb backends down", List.of("lb backends down web 10.0.0.7:8080 --for 30m")),
            Map.entry("lb backends drain", List.of("lb backends drain web 10.0.0.7:8080 --deadline 5m")),
            Map.entry("lb backends enable", List.of("lb backends enable web 10.0.0.7:8080")),
            Map.entry("lb backends remove", List.of("lb backends remove web 10.0.0.7:8080 --why retired")),
            Map.entry("lb backends reset", List.of("lb backends reset web 10.0.0.7:8080")),
            Map.entry("lb backends set", List.of("lb backends set web 10.0.0.7:8080 --weight 3 --backup")),
            Map.entry("lb backends up", List.of("lb backends up web 10.0.0.7:8080 --for 10m")),
            Map.entry("lb backends weight", List.of("lb backends weight web 10.0.0.7:8080 0 --for 1h")),
            Map.entry("lb pools", List.of("lb pools maintenance web on --for 30m")),
            Map.entry(
                    "lb pools maintenance",
                    List.of("lb pools maintenance web on --for 30m", "lb pools maintenance web off")),
            Map.entry(
                    "lb overrides",
                    List.of(
                            "lb overrides config.yaml",
                            "lb overrides set web 10.0.0.7:8080 --state down --for 5m --why \"replication lag\"")),
            Map.entry(
                    "lb overrides set",
                    List.of(
                            "lb overrides set web 10.0.0.7:8080 --state drain --for 5m --source lag-check",
                            "lb overrides set web 10.0.0.7:8080 --weight 1 --why \"high load\"")),
            Map.entry("lb overrides remove", List.of("lb overrides remove web 10.0.0.7:8080 --source lag-check")),
            Map.entry("lb explain", List.of("lb explain backend web/10.0.0.7:8080")),
            Map.entry(
                    "lb explain backend",
                    List.of(
                            "lb explain backend web/10.0.0.7:8080",
                            "lb explain backend web/10.0.0.7:8080 config.yaml")),
            Map.entry("lb cache", List.of("lb cache purge --url 'https://example.com/news/*'")),
            Map.entry(
                    "lb cache purge",
                    List.of("lb cache purge --url https://example.com/index.html", "lb cache purge --tag news")),
            Map.entry("lb acme", List.of("lb acme list", "lb acme revoke example.com --reason key-compromise")),
            Map.entry("lb acme list", List.of("lb acme list config.yaml", "lb acme list --limit 500 --offset 500")),
            Map.entry(
                    "lb acme revoke",
                    List.of("lb acme revoke example.com", "lb acme revoke '*.example.com' --reason key-compromise")),
            Map.entry(
                    "lb cluster",
                    List.of(
                            "lb cluster init edge",
                            "lb cluster cert n1",
                            "lb cluster status config.yaml",
                            "lb cluster apply config.yaml")),
            Map.entry("lb cluster init", List.of("lb cluster init edge --directory certs")),
            Map.entry("lb cluster cert", List.of("lb cluster cert n1 --directory certs")),
            Map.entry("lb cluster status", List.of("lb cluster status config.yaml")),
            Map.entry(
                    "lb cluster apply",
                    List.of(
                            "lb cluster apply config.yaml --note \"new pool\"",
                            "lb cluster apply site.yaml --api http://127.0.0.1:8001 --wait 1m")),
            Map.entry("lb cluster history", List.of("lb cluster history config.yaml")),
            Map.entry("lb cluster diff", List.of("lb cluster diff", "lb cluster diff 6 8")),
            Map.entry(
                    "lb cluster rollback",
                    List.of("lb cluster rollback", "lb cluster rollback 6 --note \"7 is slow\"")),
            Map.entry("lb cluster witness", List.of("lb cluster witness witness.yaml")),
            Map.entry("lb cluster forget", List.of("lb cluster forget n3", "lb cluster forget n3 config.yaml")),
            Map.entry("lb agents", List.of("lb agents config.yaml", "lb agents revoke app5")),
            Map.entry("lb agents list", List.of("lb agents list config.yaml")),
            Map.entry("lb agents show", List.of("lb agents show app5")),
            Map.entry("lb agents approve", List.of("lb agents approve app5")),
            Map.entry("lb agents revoke", List.of("lb agents revoke app5")),
            Map.entry("lb tokens", List.of("lb tokens create rack1", "lb tokens config.yaml")),
            Map.entry("lb tokens create", List.of("lb tokens create rack1", "lb tokens create rack1 --expires 30d")),
            Map.entry("lb tokens list", List.of("lb tokens list config.yaml")),
            Map.entry("lb tokens revoke", List.of("lb tokens revoke rack1")),
            Map.entry("lb dns", List.of("lb dns test ads.example config.yaml", "lb dns flush --name example.com")),
            Map.entry(
                    "lb dns explain",
                    List.of(
                            "lb dns explain www.example.com config.yaml --from 192.0.2.1",
                            "lb dns explain www.example.com --type AAAA --api http://127.0.0.1:8001")),
            Map.entry(
                    "lb dns test",
                    List.of(
                            "lb dns test ads.example config.yaml",
                            "lb dns test ads.example config.yaml --from 192.0.2.1 --type AAAA")),
            Map.entry(
                    "lb dns flush",
                    List.of("lb dns flush config.yaml", "lb dns flush --name example.com --below config.yaml")),
            Map.entry("lb dns pause", List.of("lb dns pause --for 10m --group children config.yaml")),
            Map.entry("lb dns resume", List.of("lb dns resume --group children config.yaml")),
            Map.entry("lb dns allow", List.of("lb dns allow good.example config.yaml")),
            Map.entry("lb dns block", List.of("lb dns block ads.example config.yaml")),
            Map.entry("lb dns forget", List.of("lb dns forget ads.example config.yaml")),
            Map.entry("lb dns accept", List.of("lb dns accept ads config.yaml")),
            Map.entry("lb dnssec", List.of("lb dnssec ds config.yaml example.com")),
            Map.entry("lb dnssec ds", List.of("lb dnssec ds config.yaml example.com")),
            Map.entry("lb dnssec status", List.of("lb dnssec status config.yaml example.com")),
            Map.entry(
                    "lb dnssec rollover",
                    List.of(
                            "lb dnssec rollover config.yaml example.com",
                            "lb dnssec rollover --ds-published config.yaml example.com")),
            Map.entry("lb password", List.of("lb password")),
            Map.entry("lb token", List.of("lb token")),
            Map.entry("lb train", List.of("lb train")),
            Map.entry("lb completion", List.of("lb completion > /etc/bash_completion.d/lb")),
            Map.entry("lb version", List.of("lb version")));

    private CommandExamples() {}

    /** Adds the examples to a command and all its subcommands. */
    public static void add(CommandLine command) {
        List<String> examples = EXAMPLES_BY_COMMAND.get(command.getCommandSpec().qualifiedName());
        if (examples != null) {
            command.getCommandSpec()
                    .usageMessage()
                    .footerHeading("%nExamples:%n")
                    .footer(examples.stream().map(example -> "  " + example).toArray(String[]::new));
        }
        command.getSubcommands().values().forEach(CommandExamples::add);
    }
}
