"""Tests of relations, reports and views."""
