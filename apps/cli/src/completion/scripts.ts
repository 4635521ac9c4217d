/** Each asks the hidden command, which answers lines of `word<TAB>about`, or `:files` where files stand. */
export const COMPLETION_SCRIPTS = {
  bash: `# berth: completion for bash
_berth() {
  local word _about
  COMPREPLY=()
  while IFS=$'\\t' read -r word _about; do
    if [[ $word == :files ]]; then
      compopt -o default
      continue
    fi
    COMPREPLY+=("$word")
  done < <(berth __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _berth berth
`,
  zsh: `#compdef berth
_berth() {
  local word about
  local -a found
  while IFS=$'\\t' read -r word about; do
    if [[ $word == :files ]]; then
      _files
      return
    fi
    found+=("\${word//:/\\\\:}\${about:+:$about}")
  done < <(berth __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  _describe 'berth' found
}
compdef _berth berth
`,
  fish: `# berth: completion for fish
function __berth_complete
  set -l words (commandline -opc) (commandline -ct)
  for line in (berth __complete -- $words[2..-1] 2>/dev/null)
    if test "$line" = :files
      __fish_complete_path (commandline -ct)
    else
      echo $line
    end
  end
end
complete -c berth -f -a '(__berth_complete)'
`,
} as const;

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
