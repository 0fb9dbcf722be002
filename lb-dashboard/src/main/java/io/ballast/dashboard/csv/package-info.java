/** CSV tables for spreadsheets (RFC 4180). */
@NullMarked
package io.ballast.dashboard.csv;

import org.jspecify.annotations.NullMarked;
