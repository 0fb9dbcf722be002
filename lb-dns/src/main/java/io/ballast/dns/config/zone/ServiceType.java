package io.ballast.dns.config.zone;

import java.util.Locale;

/** The record types of a service. */
public enum ServiceType {
    /** A and AAAA: the addresses of pools and of other names. */
    ADDRESS,
    CNAME,
    MX,
    SRV,
    TXT,
    CAA,
    HTTPS,
    SVCB,
    PTR,
    NAPTR,
    TLSA;

    /** Of addresses in lower case, else as zone files have it: the name used in files and on the dashboard. */
    public String label() {
        return this == ADDRESS ? name().toLowerCase(Locale.ROOT) : name();
    }

    /** Returns whether its records are configured, and health only selects among them. */
    public boolean hasConfiguredRecords() {
        return this != ADDRESS;
    }
}
