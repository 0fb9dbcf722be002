@NullMarked
package io.ballast.replication.configuration;

import org.jspecify.annotations.NullMarked;
